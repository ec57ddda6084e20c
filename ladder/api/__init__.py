"""What a Python user holds: `Database`, `Program`, `Rows` and `Delta`, rules that come and go."""
