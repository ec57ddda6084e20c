package phantoms;

import com.unknown.Widget;
import com.unknown.gui.*;

class Panel extends Widget {
    Button button;
    void own(Panel p) { }

    void calls(Widget widget, Panel panel) {
        widget.draw(1, "x");            // -> <com.unknown.Widget: ? draw(int,java.lang.String)>
        widget.parent().draw();         // -> <com.unknown.Widget: ? parent()>; <?: ? draw()>
        refresh(panel);                 // -> <com.unknown.Widget: ? refresh(phantoms.Panel)>
        own(panel);                     // -> <phantoms.Panel: void own(phantoms.Panel)>
        panel.resize();                 // -> <com.unknown.Widget: ? resize()>
        new Widget(3);                  // -> <com.unknown.Widget: ? <init>(int)>
        button.press(null);             // -> <com.unknown.gui.Button: ? press(null)>
        Layout.create();                // -> <com.unknown.gui.Layout: ? create()>
        own(this);                      // -> <phantoms.Panel: void own(phantoms.Panel)>
        toString();                     // -> <java.lang.Object: java.lang.String toString()>
    }
}
