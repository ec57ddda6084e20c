"""Facts of any form → cells on Spark: asserted facts and those in the text of a program."""
