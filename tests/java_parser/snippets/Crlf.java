// first
package a;
class Crlf {
	int é = "ü😀".length(); int after; /* x
y */ int z;
}