"""Programs that play Skyline: as environments, as bots by a protocol, and the strong one."""
