"""madn, dmadn, dog: their players."""
