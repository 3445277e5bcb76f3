package com.example.orders;

import io.lanequeue.schema.TargetUserId;

/** What a customer ordered; each customer's orders are numbered. */
record Order(TargetUserId customer, int number, String article) {}
