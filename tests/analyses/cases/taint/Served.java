package samples;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import org.eclipse.jetty.websocket.api.WebSocketListener;
import org.eclipse.jetty.websocket.api.annotations.OnWebSocketMessage;
import org.eclipse.jetty.websocket.api.annotations.WebSocket;

/** Messages of other machines: calls of RMI, and what handlers of Netty and Jetty get. */
public class Served {
    interface Files extends Remote {
        void open(String name) throws RemoteException;
    }

    static class Opened implements Files {
        @Override
        public void open(String name) throws RemoteException {
            run(name);
            helper("ls");
        }

        void run(String name) throws RemoteException {
            try {
                Runtime.getRuntime().exec(name); // found command-injection
            } catch (IOException e) {
                throw new RemoteException("no", e);
            }
        }

        public void helper(String name) throws RemoteException {
            try {
                Runtime.getRuntime().exec(name);
            } catch (IOException e) {
                throw new RemoteException("no", e);
            }
        }
    }

    static class Simple extends SimpleChannelInboundHandler<String> {
        @Override
        public void channelRead0(ChannelHandlerContext context, String message) throws Exception {
            Runtime.getRuntime().exec(message); // found command-injection
        }
    }

    static class Adapter extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            Runtime.getRuntime().exec((String) message); // found command-injection
        }

        @Override
        public void channelActive(ChannelHandlerContext context) throws Exception {
            Runtime.getRuntime().exec("ls");
        }
    }

    static class Listener implements WebSocketListener {
        @Override
        public void onWebSocketText(String text) {
            try {
                Runtime.getRuntime().exec(text); // found command-injection
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void onWebSocketClose(int code, String reason) {
        }
    }

    @WebSocket
    public static class Annotated {
        @OnWebSocketMessage
        public void got(String text) throws IOException {
            Runtime.getRuntime().exec(text); // found command-injection
        }
    }
}
