package B;
class b {
    b(A t, A this, A this, t b) { }
    void m(int a, b this) { }
}
