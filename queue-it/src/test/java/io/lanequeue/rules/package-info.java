/** The design's rules, read off the compiled classes and the functions in the database instead of off a checklist. */
@NullMarked
package io.lanequeue.rules;

import org.jspecify.annotations.NullMarked;
