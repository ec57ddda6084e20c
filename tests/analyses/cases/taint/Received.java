package shop;

import java.io.FileInputStream;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.service.IoHandlerAdapter;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.filter.codec.ProtocolDecoderAdapter;
import org.apache.mina.filter.codec.ProtocolDecoderOutput;

/** What MINA gives handlers and decoders comes over a network. */
class Received extends IoHandlerAdapter {
    @Override
    public void messageReceived(IoSession session, Object message) throws Exception {
        Order order = (Order) message;
        new FileInputStream("orders/" + order.name()).close(); // found path-injection
    }

    static class Decoder extends ProtocolDecoderAdapter {
        @Override
        public void decode(IoSession session, IoBuffer in, ProtocolDecoderOutput out) throws Exception {
            String name = in.getString(null);
            new FileInputStream(name).close(); // found path-injection
            out.write(new Order(name));
        }
    }

    static class Order {
        private final String name;

        Order(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }
    }
}
