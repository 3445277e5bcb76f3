/** The Postgres that code generation, tests and demo run on: a given one, a container, or an embedded one. */
@NullMarked
package io.lanequeue.devdb;

import org.jspecify.annotations.NullMarked;
