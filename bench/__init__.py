"""How good is the ranking: data sets, metrics, runs of the real engine and the tables made from them."""
