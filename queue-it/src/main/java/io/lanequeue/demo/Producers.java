package io.lanequeue.demo;

import io.lanequeue.command.Crew;
import io.lanequeue.command.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several producers that share the lines of a file. All lines of a lane go to the same one, in their order; the file is
 * read in pieces, so that it may be larger than the memory.
 */
final class Producers {

    private static final int PIECE_LINES = 4_000;
    private static final int PIECE_CHARACTERS = 16 * 1024 * 1024;

    private final DemoDatabase database;
    private final EventFile file;
    private final Producer producer;
    private final int number;

    Producers(DemoDatabase database, EventFile file, Producer producer, int number) {
        this.database = database;
        this.file = file;
        this.producer = producer;
        this.number = number;
    }

    /** Appends the file. Its invalid lines are known already. */
    Void appendFile() throws Exception {
        List<Session> sessions = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(number, Crew::daemon);
        try (var reader = new EventReader(file.open(), (line, problem) -> {})) {
            for (int i = 0; i < number; i++) {
                sessions.add(database.connect());
            }
            for (List<EventLine> piece = nextPiece(reader); !piece.isEmpty(); piece = nextPiece(reader)) {
                for (Future<Void> share : threads.invokeAll(shares(sessions, piece))) {
                    share.get();
                }
            }
        } finally {
            threads.shutdownNow();
            sessions.forEach(Session::close);
        }
        return null;
    }

    private static List<EventLine> nextPiece(EventReader reader) throws IOException {
        return reader.next(PIECE_LINES, PIECE_CHARACTERS);
    }

    private List<Callable<Void>> shares(List<Session> sessions, List<EventLine> piece) {
        List<Callable<Void>> shares = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Session session = sessions.get(i);
            int mine = i;
            shares.add(() -> {
                producer.append(
                        session.dsl(),
                        piece.stream().filter(line -> producerOf(line) == mine).toList());
                return null;
            });
        }
        return shares;
    }

    private int producerOf(EventLine line) {
        return (int) (line.event().targetUserId().value() % number);
    }
}
