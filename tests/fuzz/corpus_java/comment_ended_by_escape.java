class C { void m() { } // \u000a void n() { }
 /* \u002a\u002f int x; /**/ }