"""Networks and the engines that run them."""
