package dev.fulmar.benchmarks.failstop;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.InvocationException;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Debugger's connection to a node's JVM, by which the fail-stop experiment throws chosen errors on the node's threads.
 * For one thread.
 */
final class Injection implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile(":\\d+(?=\\)|$)");
    private static final Pattern NUMBER = Pattern.compile("-\\d+$");
    private static final int FIND_ATTEMPTS = 10;
    private static final long FIND_MILLIS = 100;
    private static final long PATIENCE_MILLIS = 20_000;
    private static final long WORK_MILLIS = 1_000;

    /** Runs once a second on a thread that can be stopped there: exceptions are made on it. */
    private static final String OFTEN_CLASS = "dev.fulmar.node.wiring.FulmarNode";

    private static final String OFTEN_METHOD = "sample";
    private static final String FIBER_CLASS =
            "dev.fulmar.coordinator.fiber.real.VirtualThreadFibers$VirtualThreadFiber";
    private static final String FIBER_METHOD = "park";

    private static final int MAKE_ATTEMPTS = 10;

    private final VirtualMachine machine;

    private Injection(VirtualMachine machine) {
        this.machine = machine;
    }

    static Injection attach(int port) throws IOException {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        try {
            set(arguments, "hostname", "127.0.0.1");
            set(arguments, "port", Integer.toString(port));
            return new Injection(connector.attach(arguments));
        } catch (IllegalConnectorArgumentsException e) {
            throw new IOException("no debugger at port " + port, e);
        }
    }

    private static void set(Map<String, Connector.Argument> arguments, String name, String value)
            throws IllegalConnectorArgumentsException {
        Connector.Argument argument = arguments.get(name);
        if (argument == null) {
            throw new IllegalConnectorArgumentsException("there is no such argument", name);
        }
        argument.setValue(value);
    }

    /** Names of the platform threads that live now, without ports, which are others in the next run. */
    SortedSet<String> threads() {
        SortedSet<String> names = new TreeSet<>();
        machine.allThreads().forEach(thread -> names.add(withoutPort(nameOf(thread))));
        names.remove("");
        return names;
    }

    static String withoutPort(String thread) {
        return PORT.matcher(thread).replaceAll(":*");
    }

    /** A pool numbers its threads, and those that come later do what the first one did. */
    static String withoutNumber(String thread) {
        return NUMBER.matcher(thread).replaceAll("");
    }

    /**
     * Throws it on the thread of the name, or where there is none on another one of its pool; returns whether there is
     * one.
     *
     * @param work brings threads that come and go
     */
    boolean strike(String name, Strike strike, Runnable work) throws InterruptedException {
        ObjectReference thrown = make(strike);
        for (int attempt = 1; attempt <= FIND_ATTEMPTS; attempt++) {
            ThreadReference thread = find(name);
            if (thread != null) {
                stop(thread, thrown);
                return true;
            }
            work.run();
            Thread.sleep(FIND_MILLIS);
        }
        return false;
    }

    private @Nullable ThreadReference find(String name) {
        ThreadReference ofPool = null;
        for (ThreadReference thread : machine.allThreads()) {
            String found = nameOf(thread);
            if (withoutPort(found).equals(name)) {
                return thread;
            }
            if (withoutNumber(found).equals(withoutNumber(name))) {
                ofPool = thread;
            }
        }
        return ofPool;
    }

    private static String nameOf(ThreadReference thread) {
        try {
            return thread.name();
        } catch (ObjectCollectedException ended) {
            return "";
        }
    }

    /** Throws the error on the next waiting fiber, which the caller must bring about; returns whether one came. */
    boolean strikeFiber(Strike strike, Runnable work) throws InterruptedException {
        ObjectReference thrown = make(strike);
        if (machine.classesByName(FIBER_CLASS).isEmpty()) {
            work.run();
        }
        return atNext(FIBER_CLASS, FIBER_METHOD, work, thread -> {
                    stop(thread, thrown);
                    return thrown;
                })
                != null;
    }

    private static void stop(ThreadReference thread, ObjectReference thrown) {
        try {
            thread.stop(thrown);
        } catch (InvalidTypeException e) {
            throw new IllegalStateException("what strikes can be thrown", e);
        }
    }

    private ObjectReference make(Strike strike) throws InterruptedException {
        ObjectReference made = atNext(OFTEN_CLASS, OFTEN_METHOD, () -> {}, thread -> make(strike, thread));
        if (made == null) {
            throw new IllegalStateException("the node takes no samples any more");
        }
        return made;
    }

    /** Makes an object on the node's heap, where nothing refers to it: a collection may take it before it is held. */
    private ObjectReference make(Strike strike, ThreadReference thread) {
        for (int attempt = 1; ; attempt++) {
            try {
                return tryToMake(strike, thread);
            } catch (ObjectCollectedException e) {
                if (attempt == MAKE_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private ObjectReference tryToMake(Strike strike, ThreadReference thread) {
        ClassType classes = (ClassType) machine.classesByName("java.lang.Class").getFirst();
        Method forName = classes.concreteMethodByName("forName", "(Ljava/lang/String;)Ljava/lang/Class;");
        try {
            ClassObjectReference found = (ClassObjectReference) classes.invokeMethod(
                    thread,
                    forName,
                    List.of(machine.mirrorOf(strike.className())),
                    ObjectReference.INVOKE_SINGLE_THREADED);
            ClassType type = (ClassType) found.reflectedType();
            Method constructor = type.concreteMethodByName("<init>", "(Ljava/lang/String;)V");
            ObjectReference made = type.newInstance(
                    thread,
                    constructor,
                    List.of(machine.mirrorOf("struck by the experiment")),
                    ObjectReference.INVOKE_SINGLE_THREADED);
            made.disableCollection();
            return made;
        } catch (InvalidTypeException
                | ClassNotLoadedException
                | IncompatibleThreadStateException
                | InvocationException e) {
            throw new IllegalStateException("an exception can be made at a breakpoint", e);
        }
    }

    @FunctionalInterface
    private interface AtBreakpoint {
        ObjectReference with(ThreadReference thread);
    }

    /** Does something on the thread that comes by next, for which work is brought; null if none comes. */
    private @Nullable ObjectReference atNext(String className, String method, Runnable work, AtBreakpoint action)
            throws InterruptedException {
        var types = machine.classesByName(className);
        if (types.isEmpty()) {
            return null;
        }
        BreakpointRequest request = machine.eventRequestManager()
                .createBreakpointRequest(
                        types.getFirst().methodsByName(method).getFirst().location());
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        work.run();
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        try {
            while (System.nanoTime() - deadline < 0) {
                EventSet events = machine.eventQueue().remove(WORK_MILLIS);
                if (events == null) {
                    work.run(); // that before may have failed, or have been done already
                    continue;
                }
                for (Event event : events) {
                    if (event instanceof BreakpointEvent breakpoint
                            && breakpoint.request().equals(request)) {
                        request.disable();
                        ObjectReference result = action.with(breakpoint.thread());
                        machine.eventRequestManager().deleteEventRequest(request);
                        events.resume();
                        return result;
                    }
                }
                events.resume();
            }
            return null;
        } catch (VMDisconnectedException gone) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (VMDisconnectedException gone) {
            // The node has ended, and the debugger's connection with it.
        }
    }
}
