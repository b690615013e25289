"""Let the player change the settings."""
