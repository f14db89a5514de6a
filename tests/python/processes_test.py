#!/usr/bin/env python3
"""Runs and the interpreter: Ctrl-C and threads."""

import os
import signal
import threading
import time

import freeplay as fp
import support
from support import EXAMPLES, Case


def long_model():
    """Would take minutes."""
    return fp.parse(support.PENDULUM, {"simulate.step": "1 us", "record": {"every": 100000}}, end="1000 s")


class Interrupts(Case):
    def interrupted_after(self, action):
        """Seconds from a signal to the KeyboardInterrupt."""
        sent = []

        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.4, send)
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                action()
            return time.monotonic() - sent[0]
        finally:
            timer.join()

    def test_a_signal_ends_a_run_within_a_second_and_the_model_goes_on(self):
        model = long_model()
        self.assertLess(self.interrupted_after(model.run), 1)
        self.assertEqual("completed", model.with_(end="1 ms").run().summary["status"])
        self.assertLess(self.interrupted_after(model.run), 1)  # and once more with the same one

    def test_the_file_of_an_interrupted_run_is_whole(self):
        model = long_model().with_({"record": {"every": 1000}})
        self.assertLess(self.interrupted_after(lambda: model.run(out="stopped")), 1)
        result = fp.Result("stopped")
        self.assertEqual("interrupted", result.status)
        self.assertGreater(len(result), 1)

    def test_a_signal_ends_a_loop_over_steps(self):
        def loop():
            for _ in long_model().steps():
                pass

        self.assertLess(self.interrupted_after(loop), 1)

    def test_a_signal_ends_a_study(self):
        study = lambda: fp.sweep(long_model(), {"end": ["900 s", "1000 s", "1100 s"]}, {"q": "final(pin.q)"})  # noqa: E731
        self.assertLess(self.interrupted_after(study), 1.5)

    def test_what_the_progress_raises_ends_the_run(self):
        def stop(fraction, steps):
            if steps > 0:
                raise ZeroDivisionError(f"{fraction} after {steps}")

        with self.assertRaises(ZeroDivisionError):
            long_model().run(progress=stop)


class Threads(Case):
    def test_the_interpreter_goes_on_while_a_run_is_computed(self):
        model = long_model().with_(end="1.5 s")
        counted = [0]
        done = threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0.001)

        counter = threading.Thread(target=count)
        counter.start()
        begin = time.monotonic()
        model.run()
        seconds = time.monotonic() - begin
        done.set()
        counter.join()
        self.assertGreater(seconds, 0.1, "the run is too short to tell anything")
        # A run that held the lock would let the counter through some times a second.
        self.assertGreater(counted[0], 100 * seconds)

    def test_two_threads_run_at_once(self):
        model = long_model().with_(end="1 s")
        running, most = [0], [0]
        lock = threading.Lock()

        def seen(fraction, steps):
            """Called during the run; both are within it if they see each other there."""
            with lock:
                most[0] = max(most[0], running[0])

        def one():
            with lock:
                running[0] += 1
            model.run(progress=seen)
            with lock:
                running[0] -= 1

        begin = os.times()
        threads = [threading.Thread(target=one) for _ in range(2)]
        wall = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wall = time.monotonic() - wall
        cpu = sum(os.times()[:2]) - sum(begin[:2])
        self.assertEqual(2, most[0])
        print(f"two runs: {cpu:.2f} s of CPU in {wall:.2f} s")
        if len(os.sched_getaffinity(0)) > 1 and os.getloadavg()[0] < 1:  # a busy machine has no second core for us
            self.assertGreater(cpu, 1.4 * wall)

    def test_runs_in_threads_give_the_same_bits(self):
        model = fp.load(EXAMPLES / "slider_crank.yaml", duration="20 ms")
        expected = model.run()["crank.omega"].tobytes()
        found = []
        threads = [threading.Thread(target=lambda: found.append(model.run()["crank.omega"].tobytes())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([expected] * 4, found)


if __name__ == "__main__":
    support.main()
