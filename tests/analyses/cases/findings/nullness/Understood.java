import java.util.ArrayDeque;
import java.util.Deque;

/** What many callers dereference and nobody checks is understood; what somebody checks is not. */
class Understood {
    private final Deque<String> texts = new ArrayDeque<>();

    String top() {
        return texts.peek();
    }

    String bottom() {
        return texts.peekLast();
    }

    int all() {
        int sum = 0;
        sum += of0();
        sum += of1();
        sum += of2();
        sum += of3();
        sum += of4();
        sum += of5();
        sum += of6();
        sum += of7();
        sum += of8();
        sum += size(top());
        if (bottom() != null) {
            sum += 1;
        }
        return sum;
    }

    int of0() {
        return top().length() + 0;
    }

    int of1() {
        return top().length() + 1;
    }

    int of2() {
        return top().length() + 2;
    }

    int of3() {
        return top().length() + 3;
    }

    int of4() {
        return top().length() + 4;
    }

    int of5() {
        return top().length() + 5;
    }

    int of6() {
        return top().length() + 6;
    }

    int of7() {
        return top().length() + 7;
    }

    int of8() {
        return top().length() + 8;
    }

    int size(String text) {
        return text.length();
    }

    int last() {
        return bottom().length(); // found nullable-result
    }
}
