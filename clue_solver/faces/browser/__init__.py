"""The page without a server: a folder of files, and what answers inside a browser."""
