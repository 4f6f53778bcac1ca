"""What every layer shares: places in text, findings, events, errors."""
