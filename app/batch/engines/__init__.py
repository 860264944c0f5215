"""Who works photos off: processes of this machine, or a cluster."""
