CREATE TABLE shop.orders (
    customer_id bigint NOT NULL,
    number integer NOT NULL,
    article text NOT NULL,
    PRIMARY KEY (customer_id, number)
);
