package io.lanequeue.demo;

/** Hears of lines that are skipped. */
interface InvalidLines {

    /**
     * @param line its number, from 1
     * @param problem what is wrong with it
     */
    void report(int line, String problem);
}
