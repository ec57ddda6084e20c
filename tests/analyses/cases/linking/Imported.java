package imports;

import com.absent.second.Gauge;

class Imported {
    void calls(Gauge gauge) {
        gauge.read();                   // -> <com.absent.second.Gauge: ? read()>
    }
}
