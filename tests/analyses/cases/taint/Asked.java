package samples;

import com.acme.wire.OrdersGrpc;
import com.acme.wire.Query;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.springframework.ai.tool.annotation.Tool;

/** Requests of gRPC, bytes that Netty has received, tools that a model calls, messages of a queue. */
class Asked extends OrdersGrpc.OrdersImplBase {
    @Override
    public void find(Query request, StreamObserver<Query> observer) {
        run(request.getName());
        observer.onNext(request);
    }

    public void helper(String name) {
        run("fixed");
    }

    @Tool(description = "runs something")
    String runs(String command) throws IOException {
        Runtime.getRuntime().exec(command); // found command-injection
        return "done";
    }

    static void consume(ConsumerRecords<String, String> records) throws IOException {
        for (ConsumerRecord<String, String> one : records) {
            Runtime.getRuntime().exec(one.value()); // found command-injection
            Runtime.getRuntime().exec(one.topic());
        }
    }

    private static void run(String command) {
        try {
            Runtime.getRuntime().exec(command); // found command-injection
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws IOException {
        new Decoding().toString();
        consume(new ConsumerRecords<>(null));
    }
}

class Decoding extends ByteToMessageDecoder {
    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readBytes(bytes);
        Runtime.getRuntime().exec(new String(bytes)); // found command-injection
    }
}
