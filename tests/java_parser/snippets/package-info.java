/** Documentation. */
@Deprecated
package snippets.annotations;
