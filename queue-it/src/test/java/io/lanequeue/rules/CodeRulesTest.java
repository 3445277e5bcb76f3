package io.lanequeue.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.rules.broken.BreaksEveryRule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The compiled classes of queue-core keep the rules; a class that breaks all of them is found by each. */
class CodeRulesTest {

    private static final JavaClasses QUEUE_CORE = new ClassFileImporter()
            .importUrl(
                    OutboxProducer.class.getProtectionDomain().getCodeSource().getLocation());

    private static final JavaClasses BROKEN = new ClassFileImporter().importPackagesOf(BreaksEveryRule.class);

    private static final JavaClasses REFERRING =
            new ClassFileImporter().importClasses(BreaksEveryRule.ByReference.class);

    @ParameterizedTest
    @EnumSource
    void queueCoreKeepsTheRule(CodeRules rule) {
        rule.rule().check(QUEUE_CORE);
    }

    @ParameterizedTest
    @EnumSource
    void theRuleFindsAClassThatBreaksIt(CodeRules rule) {
        assertThat(rule.rule().evaluate(BROKEN).hasViolation()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "TRANSACTIONS_BELONG_TO_THE_CALLER",
                "PLAIN_SQL_STANDS_IN_ONE_CLASS",
                "NO_EXISTS_OF_JOOQ",
                "ONLY_THE_DATABASE_HAS_A_CLOCK"
            })
    void theRuleFindsAMethodReferenceThatBreaksIt(CodeRules rule) {
        assertThat(rule.rule().evaluate(REFERRING).hasViolation()).isTrue();
    }
}
