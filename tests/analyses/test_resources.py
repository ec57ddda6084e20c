"""Classes that files beside the sources name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ladder.frontends.java.resources import (
    MOST_NAMES,
    RESOURCES,
    algorithms,
    beans,
    classes,
    library_versions,
    mapped_statements,
    names,
    providers,
)
from ladder.project.files import Project
from tests.analyses.annotated import Project as Sources
from tests.analyses.annotated import analyse, assert_calls
from tests.marks import slow_after

PLUGINS = """
    package p;
    import java.util.*;
    public interface Plugin { void go(); }
    class One implements Plugin { One() { made(); } void made() { } public void go() { } }
    class Two implements Plugin { public void go() { } }
    class Inner { static class Three implements Plugin { public void go() { } } }
    class M { public static void main(String[] args) throws Exception {
        Properties known = new Properties();
        known.load(M.class.getResourceAsStream("known.properties"));
        Plugin plugin = (Plugin) Class.forName(known.getProperty("plugin")).getDeclaredConstructor().newInstance();
        plugin.go();                                                        // calls %s
    } }
"""


@pytest.mark.parametrize("policy", slow_after(1, ["resources", "casts"]))
def test_a_class_that_is_not_named_in_the_program(policy: str) -> None:
    reached = "One.go, Three.go" if policy == "resources" else "One.go, Three.go, Two.go"
    results = assert_calls(
        PLUGINS % reached, reflection=policy, resources=["p.One", "p.Inner.Three", "p.M.args", "q.Two"]
    )
    assert "p.One.made()" in {row[0] for row in results.rows("Reachable")}


@pytest.mark.slow
def test_other_policies_do_not_look_at_resources() -> None:
    assert_calls(PLUGINS % "nothing", reflection="strings", resources=["p.One"])


@pytest.mark.slow
def test_service_loaders() -> None:
    source = """
    package p;
    import java.util.*;
    public interface Service { void serve(); }
    class Provider implements Service { public Provider() { made(); } static void made() { } public void serve() { } }
    class NoProvider implements Service { public void serve() { } }
    class Other { public Other() { made(); } static void made() { } }
    class M { public static void main(String[] args) {
        for (Service service : ServiceLoader.load(Service.class)) {
            service.serve();                                                // calls %s
        }
    } }
    """
    results = assert_calls(source % "Provider.serve", reflection="resources", resources=["p.Provider", "p.Other"])
    reachable = {row[0] for row in results.rows("Reachable")}
    assert "p.Provider.made()" in reachable and "p.Other.made()" not in reachable
    assert_calls(source % "nothing")
    said = [("p.Service", "p.Provider"), ("p.Service", "p.Other"), ("p.Unknown", "p.NoProvider")]
    assert_calls(source % "Provider.serve", providers=said)
    assert_calls(source % "nothing", reflection="none", providers=said)


@pytest.mark.slow
def test_providers_that_annotations_name() -> None:
    assert_calls("""
    package p;
    import com.google.auto.service.AutoService;
    import java.util.*;
    interface Service { void serve(); }
    @AutoService(Service.class)
    class Provider implements Service { public void serve() { } }
    @AutoService({Runnable.class, Service.class})
    class Both implements Service, Runnable { public void serve() { } public void run() { } }
    class NoProvider implements Service { public void serve() { } }
    @AutoService(Runnable.class)
    class Other implements Service, Runnable { public void serve() { } public void run() { } }
    class M { public static void main(String[] args) {
        for (Service service : ServiceLoader.load(Service.class)) {
            service.serve();                                                // calls Provider.serve, Both.serve
        }
    } }
    """)


def test_services_and_providers_that_are_nested() -> None:
    assert_calls(
        """
    package p;
    import java.util.*;
    class Outer {
        public interface Service { void serve(); }
        public static class Provider implements Service { public void serve() { } }
    }
    class M { public static void main(String[] args) {
        ServiceLoader.load(Outer.Service.class).iterator().next().serve();  // calls Provider.serve
    } }
    """,
        providers=[("p.Outer$Service", "p.Outer$Provider")],
    )


@pytest.mark.slow
def test_services_that_modules_provide() -> None:
    project = Sources.of(
        {
            "module-info.java": "module m { provides p.Service with p.Provider, p.Outer.Made; uses p.Service; }",
            "p/Service.java": """
                package p;
                public interface Service { void serve(); }
                class Provider implements Service {
                    public Provider() { made(); } void made() { } public void serve() { }
                }
                class Outer { public static class Made { public static Service provider() { return new Other(); } } }
                class Other implements Service { public void serve() { } }
                class Never implements Service { Never() { } public void serve() { } }
                class M { public static void main(String[] args) {
                    for (Service service : java.util.ServiceLoader.load(Service.class)) service.serve();
                } }
            """,
        }
    )
    results = analyse("pointsto", project)
    reached = {row[0] for row in results.rows("Reachable")}
    assert {"p.Provider.made()", "p.Provider.serve()", "p.Outer$Made.provider()", "p.Other.serve()"} <= reached
    assert not {"p.Never.serve()", "p.Never.<init>()"} & reached
    assert not results.rows("Unsound")


def test_names_in_files() -> None:
    found = set(
        names(
            b"# a comment about things\nplugin=org.acme.Plugin\nlist = First, Second ;org.acme.Third\n"
            b"<bean class=\"org.acme.Bean$Inner\" id='Simple'>Text</bean> these are words\nsrc/org.acme/x/y.z\n"
            b"org.acme.Provider # as in META-INF\nAlone\r\n\xff\xfe"
        )
    )
    assert found == {
        "org.acme.Plugin", "First", "Second", "org.acme.Third", "org.acme.Bean$Inner", "Simple", "Text",
        "org.acme.Provider", "Alone",
    }  # fmt: skip
    assert not list(names("\n".join(f"Name{i}" for i in range(MOST_NAMES + 1)).encode()))


def test_classes_in_a_file_are_told_with_their_members() -> None:
    data = b"""
        <bean class="a.b.Order" init-method = "begin"/> <version>1.2.Final</version> <artifactId>a.b.c</artifactId>
        contributor: a.b.Outer.Inner
        other=a.b.Rules.strict, a.b.Rules$Own, Plain, Plain.member, org.acme
    """
    assert set(classes("beans.xml", data)) == {
        ("a.b.Order", ""),
        ("", "begin"),
        ("a.b.Outer.Inner", ""),
        ("a.b.Rules", "strict"),
        ("a.b.Rules$Own", ""),
    }
    assert not list(classes("S", "\n".join(f"a.Name{i}" for i in range(MOST_NAMES + 1)).encode()))


SPRING = b"""<beans>
  <bean id="orders" class="a.b.Orders"
        init-method='begin' p:name="x"/>
  <!-- <bean class="a.b.Old"/> -->
  <bean class="${kind}"/> <beanery class="a.b.Other"/>
  <x:bean class="a.b.Outer$Inner"> <property name="size" value="1"/> </x:bean>
</beans>"""


def test_beans_in_xml_are_told_with_what_is_called_of_them() -> None:
    made = {("a.b.Orders", ""), ("a.b.Orders", "begin"), ("a.b.Outer$Inner", "")}
    assert set(beans("beans.xml", SPRING)) == made
    assert not list(beans("beans.xml", SPRING.replace(b"beans", b"others")))


BEANS = """
    package a.b;
    import org.springframework.beans.factory.annotation.Autowired;
    interface Store { void keep(); }
    class Kept implements Store {
        private Object name;
        public void setName(Object name) { }
        void begin() { }
        public void end() { }
        public void keep() { }
    }
    class Other implements Store { public void keep() { } }
    @org.springframework.stereotype.Component
    class User {
        @Autowired Store store;
        @Autowired void use() { store.keep(); }                              // calls Kept.keep
    }
"""


def test_beans_of_xml_are_made_set_and_injected() -> None:
    project = Sources.of({"a/b/User.java": BEANS})
    project.facts["BeanInFile"] = [("a.b.Kept", ""), ("a.b.Kept", "begin")]
    results = analyse("pointsto", project, "frameworks")
    reached = {row[0] for row in results.rows("Reachable")}
    assert {m for m in reached if m.startswith("a.b.Kept")} >= {
        f"a.b.Kept.{m}" for m in ("setName(Object)", "begin()", "keep()")
    }
    assert not any("end" in m or "Other" in m for m in reached)


def test_providers_in_a_file_are_read_as_service_loaders_do() -> None:
    data = b"# ours\np.One # the first\n\n  p.Outer$Two\t\r\np.One\nno name\n1.x\np..q\nq.\xff\nlast.Three"
    assert set(providers("a/META-INF/services/p.S", data)) == {
        ("p.S", "p.One"),
        ("p.S", "p.Outer$Two"),
        ("p.S", "last.Three"),
    }
    assert not list(providers("S", "\n".join(f"Name{i}" for i in range(MOST_NAMES + 1)).encode()))


def test_files_that_are_looked_at(tmp_path: Path) -> None:
    for path in (
        "A.java",
        "x.properties",
        "b/y.xml",
        "META-INF/services/p.S",
        "c/META-INF/services/p.T",
        "z.txt",
        "i.xml",
        "d/pom.xml",
        "e/build.gradle",
    ):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("class A { }")
    (tmp_path / ".gitignore").write_text("i.xml\n")
    (tmp_path / "link.xml").symlink_to(tmp_path / "z.txt")
    seen = {"x.properties", "b/y.xml", "d/pom.xml", "META-INF/services/p.S", "c/META-INF/services/p.T"}
    named, told, made, services, mapped, built, properties = (each.has for each in RESOURCES)
    assert set(Project(tmp_path).resources(named)) == seen | {"i.xml"}
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert set(Project(tmp_path).resources(named)) == seen
    assert set(Project(tmp_path).resources(told)) == seen
    assert set(Project(tmp_path).resources(made)) == {"b/y.xml", "d/pom.xml"}
    assert set(Project(tmp_path).resources(services)) == {"META-INF/services/p.S", "c/META-INF/services/p.T"}
    assert set(Project(tmp_path).resources(mapped)) == {"b/y.xml", "d/pom.xml"}
    assert set(Project(tmp_path).resources(built)) == {"d/pom.xml", "e/build.gradle"}
    assert set(Project(tmp_path).resources(properties)) == {"x.properties"}


POM = b"""<project>
  <properties> <fastjson.version>1.2.83</fastjson.version> <encoding>UTF-8</encoding> </properties>
  <dependencies>
    <dependency>
      <groupId>com.alibaba</groupId> <artifactId>fastjson</artifactId> <version>${fastjson.version}</version>
    </dependency>
    <dependency> <groupId>a</groupId> <artifactId>b</artifactId> <version>1.0-RC1</version> </dependency>
    <!-- <dependency> <artifactId>old</artifactId> <version>1.0</version> </dependency> -->
    <dependency> <groupId>a</groupId> <artifactId>managed</artifactId> </dependency>
  </dependencies>
</project>
"""
GRADLE = b"""dependencies { implementation 'com.alibaba:fastjson:1.2.47'; api("a:b:2.0@jar"); api("a:managed"); }"""


def test_algorithms_that_properties_name() -> None:
    text = b"""
        # cipher=RC4
        a.cipher = DES/CBC/PKCS5Padding\r
        b: sha-256
        c=MD5
        d = SHA512/256
        e = aes shop
        f = description
        g=AES_256/GCM/NoPadding"""
    assert sorted(algorithms("a.properties", text)) == [
        ("a.cipher", "DES/CBC/PKCS5Padding"),
        ("b", "sha-256"),
        ("c", "MD5"),
        ("d", "SHA512/256"),
        ("g", "AES_256/GCM/NoPadding"),
    ]
    assert not list(algorithms("a.properties", (b" " * 100 + b"a" * 200) * 3_000))


def test_versions_that_build_files_name() -> None:
    assert set(library_versions("pom.xml", POM)) == {
        ("fastjson", "${fastjson.version}"),
        ("${fastjson.version}", "1.2.83"),
        ("${encoding}", "UTF-8"),
        ("b", "1.0-RC1"),
    }
    assert set(library_versions("build.gradle", GRADLE)) == {("fastjson", "1.2.47"), ("b", "2.0")}
    assert not list(library_versions("a.xml", b"<beans><artifactId>a</artifactId><version>1</version></beans>"))
    digits = b"1" * 1_000_000
    assert len(list(library_versions("pom.xml", b"<project><a>" + digits))) == 0
    assert len(list(library_versions("build.gradle", b"'a:b:" + digits))) == 0


MAPPER = b"""<?xml version="1.0"?>
<!DOCTYPE mapper PUBLIC "-//mybatis.org//DTD Mapper 3.0//EN" "http://mybatis.org/dtd/mybatis-3-mapper.dtd">
<mapper namespace="shop.Orders">
  <!-- <select id="old">${old}</select> -->
  <sql id="sorted"> order by ${order} </sql>
  <sql id="where"> <include refid="shop.Orders.sorted"/> </sql>
  <select id="find" resultType="Order"> select * from orders where id = #{id} <include refid="where"/> </select>
  <select id="by">
    <bind name="pattern" value="'%' + name + '%'"/>
    select * from ${query.table} where name like '${pattern}'
    <foreach collection="filters" item="one"> <foreach collection="one.parts" item="part"> and ${part.text} </foreach>
    </foreach>
    and ${ew.customSqlSegment}
  </select>
  <delete id='all'>delete from orders where id = ${ _parameter } or id = ${ids[0]}</delete>
</mapper>
"""


def test_what_statements_of_mappers_take_as_it_is() -> None:
    assert set(mapped_statements("Orders.xml", MAPPER)) == {
        ("shop.Orders", "find", "order", ""),
        ("shop.Orders", "by", "query", "table"),
        ("shop.Orders", "by", "name", ""),
        ("shop.Orders", "by", "filters", ""),
        ("shop.Orders", "all", "_parameter", ""),
        ("shop.Orders", "all", "ids", ""),
    }
    assert not list(mapped_statements("a.xml", b"<select id='a'>${b}</select>"))
    assert not list(mapped_statements("a.xml", b"<mapper><select id='a'>${b}</select></mapper>"))


CHOSEN = b"""<mapper namespace="p.A">
  <select id="chosen"> order by
    <choose>
      <when test="order == 'id' or 'name' == order || &quot;size&quot;.equals(order)"> ${order} </when>
      <otherwise> ${other} </otherwise>
    </choose>
  </select>
  <select id="half"> <if test="order == 'id' or size == 'name'"> ${order} </if> </select>
  <select id="both"> <if test="order == 'id' and size != null"> ${order} </if> </select>
  <select id="part"> <if test="order == 'id'"> ${order.name} ${order} </if> ${order} </select>
</mapper>"""


def test_what_a_condition_of_a_statement_compares_with_texts_is_one_of_these() -> None:
    assert set(mapped_statements("A.xml", CHOSEN)) == {
        ("p.A", "chosen", "other", ""),
        ("p.A", "half", "order", ""),
        ("p.A", "both", "order", ""),
        ("p.A", "part", "order", "name"),
        ("p.A", "part", "order", ""),
    }


HOSTILE = {
    "comments that do not end": b"<!--" * 300_000,
    "a name that does not end": b"<select id='a'>${" + b"a" * 300_000 + b"</select>",
    "statements that do not end": b"<select id='a'>" * 100_000,
    "conditions that do not end": b"<select id='a'>%s</select>" % (b"<if test='a'>" * 100_000),
    "a condition of many parts": b"<select id='a'><if test='%s'>${a}</if></select>" % (b"a == 1 or " * 100_000),
    "a chain of names": b"<select id='a'>%s</select>"
    % b"".join(b"<bind name='n%d' value='n%d'/>${n%d}" % (i, i + 1, i) for i in range(20_000)),
    "a fragment in each statement": b"<sql id='f'>%s</sql>" % (b"x" * 1_000_000)
    + b"".join(b"<select id='s%d'><include refid='f'/></select>" % i for i in range(10_000)),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_mapper_costs_what_it_is_long(text: bytes) -> None:
    """Each of these would take minutes if its parts were looked at once for each other."""
    assert len(list(mapped_statements("a.xml", b"<mapper namespace='p.A'>" + text))) <= 1


def test_attributes_of_a_bean_are_looked_through_once() -> None:
    assert not list(beans("a.xml", b"<beans><bean " + b"-" * 300_000 + b"></beans>"))


def test_names_that_are_made_of_one_another_end() -> None:
    mapper = b"<mapper namespace='p.A'><select id='a'><bind name='x' value='y'/><bind name='y' value='x'/>${x}</select>"
    assert [row[:2] for row in mapped_statements("a.xml", mapper)] == [("p.A", "a")]
