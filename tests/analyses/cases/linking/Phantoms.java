package phantoms;

import com.unknown.Widget;
import com.unknown.gui.*;

class Panel extends Widget {
    Button button;
    void own(Panel p) { }
    void both() { }
    void both(String s, Panel p) { }
    static final java.util.regex.Pattern WORD = null;

    void calls(Widget widget, Panel panel) {
        widget.draw(1, "x");            // -> <com.unknown.Widget: ? draw(int,java.lang.String)>
        widget.parent().draw();         // -> <com.unknown.Widget: ? parent()>; <?: ? draw()>
        refresh(panel);                 // -> <com.unknown.Widget: ? refresh(phantoms.Panel)>
        own(panel);                     // -> <phantoms.Panel: void own(phantoms.Panel)>
        panel.resize();                 // -> <com.unknown.Widget: ? resize()>
        new Widget(3);                  // -> <com.unknown.Widget: ? <init>(int)>
        button.press(null);             // -> <com.unknown.gui.Button: ? press(null)>
        Layout.create();                // -> <com.unknown.gui.Layout: ? create()>
        button.each(b -> WORD.matcher(b)); // -> <com.unknown.gui.Button: ? each(->1)>; <java.util.regex.Pattern: java.util.regex.Matcher matcher(java.lang.CharSequence)>
        button.each(b -> own(b));       // -> <com.unknown.gui.Button: ? each(->1)>; <phantoms.Panel: void own(phantoms.Panel)>
        button.each(b -> b.show(b));    // -> <com.unknown.gui.Button: ? each(->1)>; <?: ? show(?)>
        button.each(this::both);        // -> <com.unknown.gui.Button: ? each(::)>; <phantoms.Panel: void both()>
        button.each(WORD::split);       // -> <com.unknown.gui.Button: ? each(::)>; <java.util.regex.Pattern: java.lang.String[] split(java.lang.CharSequence)>
        own(this);                      // -> <phantoms.Panel: void own(phantoms.Panel)>
        toString();                     // -> <java.lang.Object: java.lang.String toString()>
    }
}

class Router {
    void route(IQ packet) {
        if (packet.getType() == IQ.Type.get) handle(packet);    // -> <com.unknown.gui.IQ: ? getType()>; <phantoms.Router: void handle(com.unknown.gui.IQ)>
        WIDTH.get(packet);              // -> <com.unknown.gui.WIDTH: ? get(com.unknown.gui.IQ)>
    }
    void handle(IQ packet) { }
}

class Products {
    void either(Object o) { }
    void either(Byte b) { }
    void either(Double d) { }

    void products(boolean first) {
        java.util.stream.Stream.of(Widget.some()).count();  // -> <java.util.stream.Stream: java.util.stream.Stream of(java.lang.Object[])>; <com.unknown.Widget: ? some()>; <java.util.stream.Stream: long count()>
        either(first ? Widget.some() * 2.0 : 1.5);  // -> <phantoms.Products: void either(java.lang.Double)>; <com.unknown.Widget: ? some()>
    }
}

/** What is read from objects of unknown classes, or inherited from them, is of unknown type: calls around it are linked. */
class Reading extends Widget {
    void one(Object o) { }
    void two(Object o, int i) { }

    void read(Widget widget) {
        one(widget.size);                   // -> <phantoms.Reading: void one(java.lang.Object)>
        two(widget.size.half(), 1);         // -> <phantoms.Reading: void two(java.lang.Object,int)>; <?: ? half()>
        two(widget.sizes[1], 1);            // -> <phantoms.Reading: void two(java.lang.Object,int)>
        two(inherited, 1);                  // -> <phantoms.Reading: void two(java.lang.Object,int)>
        two(inherited.half(), 1);           // -> <phantoms.Reading: void two(java.lang.Object,int)>; <?: ? half()>
        two(inherited.part, 1);             // -> <phantoms.Reading: void two(java.lang.Object,int)>
        two(this.inherited, 1);             // -> <phantoms.Reading: void two(java.lang.Object,int)>
        two(super.inherited, 1);            // -> <phantoms.Reading: void two(java.lang.Object,int)>
        two(inherited[0], 1);               // -> <phantoms.Reading: void two(java.lang.Object,int)>
        for (var part : widget.parts)
            two(part, 1);                   // -> <phantoms.Reading: void two(java.lang.Object,int)>
        java.util.Arrays.asList(1, widget.size.half()).size();  // -> <java.util.Arrays: java.util.List asList(java.lang.Object[])>; <?: ? half()>; <java.util.List: int size()>
    }
}

/** Lambdas for interfaces that nobody knows, given to methods of the project: what they get is of unknown type. */
class Callbacks {
    Callbacks each(com.unknown.Callback<String> c) { return this; }
    <V> Result<V> run(java.util.concurrent.Callable<V> c) { return null; }
    Result<Void> run(Runnable r) { return null; }
    boolean has(String s) { return true; }

    void callbacks() {
        each(e -> e.show());                // -> <phantoms.Callbacks: phantoms.Callbacks each(com.unknown.Callback)>; <?: ? show()>
        each(e -> run(() -> has(e)).end()); // -> <phantoms.Callbacks: phantoms.Callbacks each(com.unknown.Callback)>; <phantoms.Callbacks: phantoms.Result run(java.util.concurrent.Callable)>; <phantoms.Callbacks: boolean has(java.lang.String)>; <phantoms.Result: void end()>
        com.unknown.Callback<String> c = e -> has(e);   // -> <phantoms.Callbacks: boolean has(java.lang.String)>
    }
}

class Result<T> { void end() { } }
