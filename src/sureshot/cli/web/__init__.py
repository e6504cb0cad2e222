"""The commands of the web app: serve, and tokens for those who use it from elsewhere."""
