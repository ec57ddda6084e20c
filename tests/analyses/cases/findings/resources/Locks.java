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
