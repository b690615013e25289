"""Show one screen at a time: each scene takes edges, lets time pass and draws."""
