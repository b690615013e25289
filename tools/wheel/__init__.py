"""The command `skyline` of an installed wheel."""
