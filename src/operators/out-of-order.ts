/**
 * Comes in the place of the value before where a versioned table got an update that is not its newest: the row that the
 * table shows is another one. Who keeps or aggregates latest rows leaves it out.
 */
export const OUT_OF_ORDER: unique symbol = Symbol('out of order')
