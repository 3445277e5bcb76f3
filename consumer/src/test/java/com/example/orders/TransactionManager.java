package com.example.orders;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** Who begins and ends the transactions of a service: they commit, or are rolled back if the work throws. */
enum TransactionManager {
    SPRING {
        @Override
        void run(DataSource dataSource, Consumer<DSLContext> work) {
            DSLContext dsl = contextOn(new TransactionAwareDataSourceProxy(dataSource));
            new TransactionTemplate(new DataSourceTransactionManager(dataSource))
                    .executeWithoutResult(status -> work.accept(dsl));
        }
    },

    JDBC {
        @Override
        void run(DataSource dataSource, Consumer<DSLContext> work) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    work.accept(DSL.using(connection, SQLDialect.POSTGRES, OrderSchemas.QUEUES.settings()));
                    connection.commit();
                } catch (RuntimeException e) {
                    connection.rollback();
                    throw e;
                }
            } catch (SQLException e) {
                throw new IllegalStateException("The transaction failed", e);
            }
        }
    },

    JOOQ {
        @Override
        void run(DataSource dataSource, Consumer<DSLContext> work) {
            contextOn(dataSource).transaction(transaction -> work.accept(transaction.dsl()));
        }
    };

    abstract void run(DataSource dataSource, Consumer<DSLContext> work);

    /** Each statement in a transaction of its own, unless the data source knows of another. */
    static DSLContext contextOn(DataSource dataSource) {
        return DSL.using(dataSource, SQLDialect.POSTGRES, OrderSchemas.QUEUES.settings());
    }
}
