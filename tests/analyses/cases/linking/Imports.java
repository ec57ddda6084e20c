package imports;

import com.absent.first.*;
import com.absent.second.*;
import org.springframework.jdbc.core.*;

/** Several packages that are not there are imported on demand: rows, and what other files import, say which has a type. */
class Imports {
    void calls(JdbcTemplate template, Gauge gauge, Other other) {
        template.execute("a");          // -> <org.springframework.jdbc.core.JdbcTemplate: ? execute(java.lang.String)>
        gauge.read();                   // -> <com.absent.second.Gauge: ? read()>
        other.read();                   // -> <com.absent.first.Other: ? read()>
    }
}
