"""The tables of library knowledge against the libraries themselves, and the script that writes the generated ones."""
