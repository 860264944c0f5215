"""The live page: cameras, videos and addresses, and what is drawn over their pictures."""
