"""The M/M/1 queue in SimPy: processor time per customer, in ns."""
import random
import sys
import time

import simpy

CUSTOMERS = 100_000
LAMBDA, MU = 0.9, 1.0


def source(env, server, times):
    while True:
        yield env.timeout(random.expovariate(LAMBDA))
        env.process(customer(env, server, times))


def customer(env, server, times):
    arrived = env.now
    with server.request() as turn:
        yield turn
        yield env.timeout(random.expovariate(MU))
    times.append(env.now - arrived)
    if len(times) == CUSTOMERS:
        done.succeed()


random.seed(1)
env = simpy.Environment()
done = env.event()
times = []
env.process(source(env, simpy.Resource(env, 1), times))
began = time.process_time()
env.run(until=done)
ns = (time.process_time() - began) / CUSTOMERS * 1e9
if not 5 < sum(times) / CUSTOMERS < 20:
    sys.exit("mean time in the system %g, in the long run 10" % (sum(times) / CUSTOMERS))
print(ns)
