import java.io.*;
import java.sql.*;

/** Large objects of a database and what is read from them; parameters that are set are none. */
class Large {
    static Object object(InputStream in) throws Exception {
        return new ObjectInputStream(in).readObject();                              // found unsafe-deserialization: error
    }

    public static void main(String[] none) throws Exception {
        Connection connection = DriverManager.getConnection("jdbc:x");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select a from b");
        object(rows.getBlob(1).getBinaryStream());
        Clob clob = rows.getClob(1);
        Runtime.getRuntime().exec(clob.getSubString(1, 9));                         // found command-injection: warning
        Runtime.getRuntime().exec(new BufferedReader(clob.getCharacterStream()).readLine()); // found command-injection: warning
        Runtime.getRuntime().exec(rows.getSQLXML(1).getString());                   // found command-injection: warning
        Runtime.getRuntime().exec((String[]) rows.getArray(1).getArray());          // found command-injection: warning
        CallableStatement call = connection.prepareCall("{call a}");
        Runtime.getRuntime().exec(call.getString(1));                               // found command-injection: warning
        Clob own = connection.createClob();
        own.setString(1, "ls");
        Runtime.getRuntime().exec("ls" + own.length() + rows.getInt(1));
    }
}
