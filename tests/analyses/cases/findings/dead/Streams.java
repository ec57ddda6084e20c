package shop;

import reactor.core.publisher.Mono;

// What an unknown library gives a function is of unknown type: a call on it may be one of any method of that name.
class Streams {
    public static void main(String[] args) {
        new Streams().summary().doOnNext(summary -> System.out.println(summary.sumOfAll() + summary.share(2)));
    }

    Mono<Summary> summary() {
        return Mono.just(new Summary());
    }

    static class Summary {
        int sumOfAll() {
            return 1;
        }

        int share(int parts) {
            return 1 / parts;
        }

        int share(int parts, int whole) { // found unused-method
            return whole / parts;
        }

        int average() { // found unused-method
            return 2;
        }
    }
}
