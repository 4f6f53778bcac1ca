"""Every example of every check, traced for real and looked for by the analysis."""
