"""Make one site from the files that are there: the playing page, the book, the API, an arena and downloads."""
