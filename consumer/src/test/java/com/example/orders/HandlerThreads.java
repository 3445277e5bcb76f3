package com.example.orders;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads for handlers: virtual ones where Java has them, from 21 on. */
final class HandlerThreads {

    private static final int FIRST_JAVA_WITH_VIRTUAL_THREADS = 21;

    private HandlerThreads() {}

    static ExecutorService open() throws ReflectiveOperationException {
        return areVirtual()
                ? (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null)
                : Executors.newCachedThreadPool();
    }

    static boolean areVirtual() {
        return Runtime.version().feature() >= FIRST_JAVA_WITH_VIRTUAL_THREADS;
    }
}
