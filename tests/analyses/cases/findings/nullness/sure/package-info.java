/** Where parameters are not null; of results and fields it is not said. */
@ParametersAreNonnullByDefault
package sure;
