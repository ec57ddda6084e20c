import java.util.concurrent.locks.*;

/** Locks in variables, in fields, of read-write locks, in pairs of methods. */
class Locks {
    private final Lock lock = new ReentrantLock();
    private final Lock paired = new ReentrantLock();
    private final Lock forgotten = new ReentrantLock();
    private final ReadWriteLock both = new ReentrantReadWriteLock();
    private int count;

    void good() {
        lock.lock();
        try {
            count = next();
        } finally {
            lock.unlock();
        }
    }

    int early() {
        lock.lock(); // found lock-not-released
        if (count > 0) {
            return count;
        }
        lock.unlock();
        return 0;
    }

    void exceptional() {
        lock.lock(); // found locked-on-exception
        count = next();
        lock.unlock();
    }

    void never() {
        forgotten.lock(); // found lock-not-released
        count++;
    }

    void begin() {
        paired.lock();
    }

    void end() {
        paired.unlock();
    }

    int reading(boolean quick) {
        both.readLock().lock();
        try {
            return count;
        } finally {
            both.readLock().unlock();
        }
    }

    int wrongOne() {
        both.readLock().lock(); // found lock-not-released
        int found = count;
        both.writeLock().unlock();
        return found;
    }

    void local(Lock given) {
        given.lock(); // found lock-not-released
        if (count > 1) {
            return;
        }
        given.unlock();
    }

    void byHelper() {
        lock.lock();
        count++;
        release();
    }

    private void release() {
        lock.unlock();
    }

    private int next() {
        return count + 1;
    }
}

/** What decides whether a lock is taken decides, later, whether it is released. */
class Decided {
    private final ReentrantLock lock = new ReentrantLock();
    private final boolean shared;
    private boolean changing;

    Decided(boolean shared) {
        this.shared = shared;
    }

    int byVariable(Object owner, int[] values) {
        Object other = values.length > 3 ? owner : null;
        if (other != null) {
            lock.lock();
        }
        try {
            return values[0];
        } finally {
            if (values.length > 1) {
                values[1] = 0;
            }
            if (other != null) {
                lock.unlock();
            }
        }
    }

    int byParameter(boolean locked, int[] values) {
        if (locked) {
            lock.lock();
        }
        int found = values.length;
        if (locked) {
            lock.unlock();
        }
        return found;
    }

    int byFinalField(int[] values) {
        if (shared) {
            lock.lock();
        }
        int found = values.length;
        if (shared) {
            lock.unlock();
        }
        return found;
    }

    void ifHeld(int[] values) {
        lock.lock();
        try {
            values[0]++;
        } finally {
            if (lock.isHeldByCurrentThread()) {
                lock.unlock();
            }
        }
    }

    void ifNotHeld(int[] values) {
        lock.lock(); // found lock-not-released
        values[0]++;
        if (!lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
    }

    int byUnchangedField(int[] values) {
        if (changing) {
            lock.lock();
        }
        try {
            if (values.length > 3) {
                return 3;
            }
            return values.length;
        } finally {
            if (changing) {
                lock.unlock();
            }
        }
    }

    int byField(int[] values) {
        if (changing) {
            lock.lock(); // found lock-not-released
        }
        int found = values.length;
        changing = found > 2;
        if (changing) {
            lock.unlock();
        }
        return found;
    }

    int otherwise(boolean locked, boolean other, int[] values) {
        if (locked) {
            lock.lock(); // found lock-not-released
        }
        int found = values.length;
        if (other) {
            lock.unlock();
        }
        return found;
    }

    int reversed(boolean locked, int[] values) {
        if (locked) {
            lock.lock(); // found lock-not-released
        }
        int found = values.length;
        if (!locked) {
            lock.unlock();
        }
        return found;
    }

    int again(boolean locked, int[] values) {
        if (locked) {
            lock.lock(); // found lock-not-released
        }
        int found = values.length;
        locked = found > 1;
        if (locked) {
            lock.unlock();
        }
        return found;
    }
}

/** A method that leaves the lock to its caller where it answers so. */
class Passes {
    private final java.util.concurrent.locks.Lock lock = new java.util.concurrent.locks.ReentrantLock();
    private boolean stopped;

    boolean before() {
        lock.lock();
        if (stopped) {
            lock.unlock();
            return false;
        }
        return true;
    }

    void after() {
        lock.unlock();
    }

    void work() {
        if (before()) {
            after();
        }
    }
}

/** The same where nobody else releases it. */
class Keeps {
    private final java.util.concurrent.locks.Lock lock = new java.util.concurrent.locks.ReentrantLock();
    private boolean stopped;

    boolean before() {
        lock.lock(); // found lock-not-released
        if (stopped) {
            lock.unlock();
            return false;
        }
        return true;
    }
}

/** What is returned releases the lock. */
class Holds {
    private final java.util.concurrent.locks.Lock lock = new java.util.concurrent.locks.ReentrantLock();
    private final Held held = lock::unlock;

    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    Held hold() {
        lock.lock();
        return held;
    }
}

/** The same with another lock. */
class HoldsAnother {
    private final java.util.concurrent.locks.Lock lock = new java.util.concurrent.locks.ReentrantLock();
    private final java.util.concurrent.locks.Lock other = new java.util.concurrent.locks.ReentrantLock();
    private final Holds.Held held = other::unlock;

    Holds.Held hold() {
        lock.lock(); // found lock-not-released
        return held;
    }
}
