"""The page without a server: static files, and Python code that runs in the browser."""
