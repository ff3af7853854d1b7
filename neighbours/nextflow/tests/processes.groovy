// SPDX-License-Identifier: MIT
// Prints the script of a process of main.nf, as Groovy makes it:  groovy processes.groovy main.nf PROCESS CPUS SETTINGS, which are Groovy, too.
import org.codehaus.groovy.control.CompilerConfiguration

/** What is declared of inputs and outputs is ignored; the last statement of a process is its script. */
abstract class NextflowFile extends Script {
    static Map<String, Closure> bodies = [:]

    /** `process NAME {...}` calls NAME with the body. */
    def methodMissing(String name, arguments) {
        if (name ==~ /[A-Z_]+/)
            bodies[name] = arguments[0]
    }

    def process(declared) {}

    def propertyMissing(String name) {
        name
    }
}

def configuration = new CompilerConfiguration(scriptBaseClass: NextflowFile.name)
def binding = new Binding(task: [cpus: args[2] as int], settings: new GroovyShell().evaluate(args[3]))
new GroovyShell(NextflowFile.classLoader, binding, configuration).evaluate(new File(args[0]))
println NextflowFile.bodies[args[1]].call()
