"""Looking back: stepping through recorded hands, verifying, importing and exporting them."""
