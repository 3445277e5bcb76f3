package io.lanequeue.rules;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import io.lanequeue.internal.PgSql;
import io.lanequeue.outbox.ClaimWindow;
import io.lanequeue.schema.LanequeueException;
import java.sql.Connection;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jooq.DSLContext;
import org.jooq.PlainSQL;
import org.jooq.TransactionProvider;

/** The design's rules for the classes of queue-core. What must not be called must not be referred to, either. */
enum CodeRules {
    /** But for those that a worker runs, and where it listens or is a member, on connections that it took itself. */
    TRANSACTIONS_BELONG_TO_THE_CALLER(noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.lanequeue.worker.Transactions")
            .and()
            .doNotHaveFullyQualifiedName("io.lanequeue.worker.Listener")
            .and()
            .doNotHaveFullyQualifiedName("io.lanequeue.worker.Membership")
            .should()
            .accessTargetWhere(
                    target(owner(assignableTo(DSLContext.class))).and(target(nameMatching("(?i).*transaction.*"))))
            .orShould()
            .accessTargetWhere(target(owner(assignableTo(Connection.class)))
                    .and(target(nameMatching("commit|rollback|abort|close|set.*|releaseSavepoint"))))
            .orShould()
            .dependOnClassesThat(assignableTo(TransactionProvider.class))),

    PLAIN_SQL_STANDS_IN_ONE_CLASS(noClasses()
            .that()
            .doNotBelongToAnyOf(PgSql.class)
            .should()
            .accessTargetWhere(target(annotatedWith(PlainSQL.class)))),

    /** Their subquery is of another type in jOOQ 3.21, where the class files run too. */
    NO_EXISTS_OF_JOOQ(noClasses()
            .should()
            .accessTargetWhere(target(owner(resideInAPackage("org.jooq..")))
                    .and(target(nameMatching("(?i)(where|and|or|xor)?(not)?exists"))))),

    SIGNATURES_NAME_NOTHING_INTERNAL_OR_GENERATED(
            noMethods().that(arePublicApi()).should(Signatures.name(internalOrGeneratedTypes()))),

    NO_PARAMETER_IS_A_BOOLEAN(noMethods()
            .that(arePublicApi())
            .should()
            .haveRawParameterTypes(describe("with a boolean", CodeRules::containBoolean))),

    /** But for how long a worker waits or totals are kept, and how long ago a full look was. */
    ONLY_THE_DATABASE_HAS_A_CLOCK(noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.lanequeue.worker.SystemTiming")
            .and()
            .doNotHaveFullyQualifiedName("io.lanequeue.watch.SystemNanos")
            .should()
            .accessTargetWhere(describe("asks a clock", CodeRules::asksAClock))
            .orShould()
            .dependOnClassesThat(assignableTo(Clock.class))),

    NO_CONTEXT_IS_KEPT(noFields().should().haveRawType(DSLContext.class)),

    PUBLIC_CLASSES_NEVER_CHANGE(fields().that()
            .areDeclaredInClassesThat()
            .arePublic()
            .and()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackage("..internal..")
            .should()
            .beFinal()),

    ONLY_WORKERS_HAVE_THREADS(noClasses()
            .that()
            .resideOutsideOfPackage("io.lanequeue.worker")
            .should()
            .dependOnClassesThat(assignableTo(Thread.class).or(assignableTo(Executor.class)))),

    EXCEPTIONS_HAVE_ONE_ROOT(
            classes().that().areAssignableTo(Throwable.class).should().beAssignableTo(LanequeueException.class)),

    THE_OUTBOX_KNOWS_NO_EFFECTS(noClasses()
            .that()
            .resideInAPackage("..outbox..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..effects..")),

    EFFECTS_KNOW_NO_OUTBOX(noClasses()
            .that()
            .resideInAPackage("..effects..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..outbox..")),

    STATEMENTS_KNOW_NO_WORKER(noClasses()
            .that()
            .resideInAnyPackage("..outbox..", "..effects..", "..internal..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..worker..")),

    ONLY_THE_LISTENER_KNOWS_THE_DRIVER(noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.lanequeue.worker.Listener")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.postgresql..")),

    ONLY_WORKERS_WRITE_LOGS(noClasses()
            .that()
            .resideOutsideOfPackage("io.lanequeue.worker")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.slf4j..")),

    ONLY_METERS_KNOW_MICROMETER(noClasses()
            .that()
            .resideOutsideOfPackage("io.lanequeue.metrics")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer..")),

    NOTHING_STANDS_UNDER_IT_BUT_THE_SCHEMA_AND_JOOQ(classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "javax.sql..",
                    "org.jooq..",
                    "org.jspecify..",
                    "io.lanequeue",
                    "io.lanequeue.schema..",
                    "io.lanequeue.internal..",
                    "io.lanequeue.outbox..",
                    "io.lanequeue.effects..",
                    "io.lanequeue.worker..",
                    "io.lanequeue.watch..",
                    "io.lanequeue.metrics..",
                    "io.micrometer..",
                    "org.postgresql..",
                    "org.slf4j.."));

    private static final Set<String> CLOCKS = Set.of("now", "currentTimeMillis", "nanoTime");

    private final ArchRule rule;

    CodeRules(ArchRule rule) {
        this.rule = rule.allowEmptyShould(true);
    }

    ArchRule rule() {
        return rule;
    }

    private static DescribedPredicate<JavaMember> arePublicApi() {
        return describe(
                "are public API",
                member -> member.getModifiers().contains(JavaModifier.PUBLIC)
                        && member.getOwner().getModifiers().contains(JavaModifier.PUBLIC)
                        && !member.getOwner().getPackageName().contains(".internal"));
    }

    private static DescribedPredicate<JavaClass> internalOrGeneratedTypes() {
        return resideInAnyPackage("io.lanequeue.internal..", "io.lanequeue.schema.jooq..");
    }

    private static boolean asksAClock(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget
                && CLOCKS.contains(access.getName())
                && !(access.getName().equals("nanoTime")
                        && access.getOriginOwner().isEquivalentTo(ClaimWindow.class));
    }

    private static boolean containBoolean(List<JavaClass> types) {
        return types.stream().anyMatch(type -> type.isEquivalentTo(boolean.class));
    }
}
