package io.lanequeue.rules;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** What a method's signature names: parameters, result and exceptions, with their type arguments. */
final class Signatures {

    private Signatures() {}

    static ArchCondition<JavaMethod> name(DescribedPredicate<JavaClass> types) {
        return new ArchCondition<>("name " + types.getDescription()) {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                method.getAllInvolvedRawTypes().stream()
                        .filter(types)
                        .forEach(type -> events.add(SimpleConditionEvent.satisfied(
                                method, method.getFullName() + " names " + type.getName())));
            }
        };
    }
}
