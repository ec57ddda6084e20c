class Webs {
    Object straight(Object p) {
        Object x = new Object(); use(x);
        x = new Webs(); use(x);
        x = p; use(x);
        p = null;
        return p;
    }

    Object meeting(Object p, int n) {
        Object x = p;
        if (n > 0) x = new Webs(); use(x);
        x = null;
        while (n > 0) {
            use(x);
            x = again(x);
        }
        x = again(p);
        return x;
    }

    Object handlers(Object p) {
        Object x = null;
        try {
            x = again(p); use(x);
            x = again(x);
        } catch (RuntimeException e) {
            use(x);
            e = null; use(e);
        } finally {
            p = x;
        }
        x = new Object();
        return x;
    }

    void captured() {
        Object kept;
        if (hashCode() > 0) kept = new Object(); else kept = null;
        Object seen = kept;
        Runnable r = () -> use(seen); r.run();
        r = () -> use(null); r.run();
    }

    void unread(int n) {
        int i = 1; use(i);
        i = 2; use(i);
        Object never = new Object();
        never = new Object();
        String s = "a";
        s += n;
        s += n;
        use(s);
        var v = new Object(); use(v);
        v = s; use(v);
    }

    Object again(Object o) { return o; }

    void use(Object o) { }
}
